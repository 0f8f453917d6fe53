"""The tools of `callagain demo` and of the examples; they look nothing up, and change nothing.

A file like this one is what `callagain run --tools FILE.py` takes.
"""


def look_up_contact(name: str) -> dict[str, str]:
    """Look up a contact by name, and get its id."""
    address = f"{name.split()[0].lower()}@example.com"
    return {"contact_id": "C-1815", "name": name, "email": address}


def create_ticket(contact_id: str, subject: str) -> dict[str, str]:
    """Create a support ticket for a contact, by the contact's id."""
    return {"ticket_id": "T-77", "contact_id": contact_id, "subject": subject, "status": "open"}


def get_order_status(order_id: str) -> dict[str, str]:
    """Look up the status of an order by its number."""
    return {"order_id": order_id, "status": "shipped"}
