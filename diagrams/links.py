"""Which links of a chain can take a run out of a state."""

import itertools

from callagain.engine.chain import Chain, Link, guard_name


def links_that_fire(chain: Chain, state: str, event: str) -> list[Link]:
    """The links for this event in this state, in table order, without those that never get their turn.

    A general link has its turn where no link of the state's own fires.
    """
    links = chain.links_from(state, event)
    names = sorted({guard_name(word) for link in links for word in link.when})
    fired: set[Link] = set()
    for values in itertools.product((True, False), repeat=len(names)):
        guards = dict(zip(names, values, strict=True))
        firing = [link for link in links if link.fires(guards)]
        fired.update([link for link in firing if link in chain.links] or firing)
    return [link for link in links if link in fired]
