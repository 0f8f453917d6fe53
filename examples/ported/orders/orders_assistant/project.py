"""The design in the folder design, and the scripts of it that are Python."""

from pathlib import Path

from callagain.porting.ported import PortedDesign

from orders_assistant import scripts

PROJECT = PortedDesign(
    Path(__file__).parent / "design",
    python={
        "Find Order": scripts.find_order,
        "Get Order Status": scripts.get_order_status,
        "Get Delivery Date": scripts.get_delivery_date,
        "Cancel Order": scripts.cancel_order,
        "Send Answer": scripts.send_answer,
        "Report Failure": scripts.report_failure,
        "Controller - before the loop": scripts.controller_before_the_loop,
    },
    tools=Path(__file__).parent / "tools.json",
)
