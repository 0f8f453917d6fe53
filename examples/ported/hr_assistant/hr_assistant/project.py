"""The design in the folder design, and the scripts of it that are Python."""

from pathlib import Path

from callagain.porting.ported import PortedDesign

from hr_assistant import scripts

PROJECT = PortedDesign(
    Path(__file__).parent / "design",
    python={
        "Tool - Find Employee": scripts.tool_find_employee,
        "Tool - Time Off Balance": scripts.tool_time_off_balance,
        "Tool - Request Time Off": scripts.tool_request_time_off,
        "HR - Sorry": scripts.hr_sorry,
    },
    tools=Path(__file__).parent / "tools.json",
    names={
        "InAndOut": "gpt.request",
        "final_response": "hr.answer",
        "function_arguments": "tool.args",
        "function_name": "tool.name",
        "function_resp": "tool.result",
        "loop_count": "gpt.round",
        "non_tool_messages_json": "gpt.baseMessages",
        "systemPrompt": "hr.systemPrompt",
        "tool_call_id": "tool.id",
        "toolsJson": "gpt.registeredTools",
        "tools_messages": "gpt.toolMessages",
        "tools_resp": "gpt.toolResponse",
        "userMessage": "hr.question",
    },
)
