"""Asks one question: python -m orders_assistant "Where is order 481516?"."""

import sys

from orders_assistant.chain import ask


def main() -> int:
    if len(sys.argv) != 2:
        print('usage: python -m orders_assistant "QUESTION"', file=sys.stderr)
        return 2
    answer = ask(sys.argv[1])
    if answer.result.error is not None:
        print(answer.result.error.message, file=sys.stderr)
        return 1
    print(answer.result.final_response or answer.result.variables.function_resp)
    return 0


if __name__ == "__main__":
    sys.exit(main())
