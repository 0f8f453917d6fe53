"""The rules about words know English, and are silent about a tool that is described in another language."""

from collections.abc import Callable

import pytest

from callagain.engine.json_text import JsonObject
from callagain.tool_check import check_tools

Announce = Callable[..., JsonObject]

OTHER_LANGUAGES = [
    ("consultar_pedido", "Cancela um pedido pelo número.", "O número do pedido"),
    ("buscar_pedido", "Cancela el pedido de un cliente.", "El número del pedido"),
    ("chercher_commande", "Annule une commande par son numéro.", "Le numéro de la commande"),
    ("Bestellung", "Storniert eine Bestellung mit der Nummer.", "Die Nummer der Bestellung"),
    ("start_export", "Start des Exports für den Kunden.", "Nummer des Kunden"),
    ("annulla_ordine", "Annulla un ordine del cliente.", "Il numero di un ordine"),
    ("anuluj_zamowienie", "Anuluje zamówienie na podstawie numeru.", "Numer zamówienia"),
    ("ticket_radd_karo", "टिकट को रद्द करता है।", "टिकट का नंबर"),
    ("cancel_order", "按编号取消订单。", "订单编号"),
]


@pytest.mark.parametrize(("name", "description", "of_the_property"), OTHER_LANGUAGES)
def test_words_of_another_language_are_not_judged(
    announce: Announce, name: str, description: str, of_the_property: str
) -> None:
    properties = {"number": {"type": "string", "description": of_the_property}}
    assert check_tools([announce(name, description, properties)]) == []


@pytest.mark.parametrize(
    ("name", "description", "of_the_property"),
    [
        ("cancel_order", "Cancel an order of the shop.", "Number of the order"),
        ("cancel_order", "Cancel shop orders", "Order number"),
        ("cancelar_pedido", "Cancels the order of a customer in Rio de Janeiro", "Order number"),
    ],
)
def test_words_of_english_are_judged(
    announce: Announce, name: str, description: str, of_the_property: str
) -> None:
    properties = {"number": {"type": "string", "description": of_the_property}}
    found = check_tools([announce(name, description, properties)])
    assert {each.code for each in found} == {
        "description-returns",
        "description-when-not",
        "property-example",
    }


def test_what_needs_no_words_is_judged_in_every_language(announce: Announce) -> None:
    properties = {
        "estado": {"type": "string", "description": "'aberto' | 'fechado'"},
        "dados": {"type": "object"},
    }
    found = check_tools([announce("consultar_pedido", "Consulta o pedido de um cliente.", properties)])
    assert [(each.path, each.code) for each in found] == [
        ("dados", "parameters-nested"),
        ("estado", "enum-missing"),
        ("dados", "property-description"),
    ]


def test_the_same_description_is_found_in_every_language(announce: Announce) -> None:
    same = "टिकट को रद्द करता है।"
    found = check_tools([announce("cancel_ticket", same, {}), announce("drop_ticket", f" {same} ", {})])
    assert [(each.tool, each.code) for each in found] == [("drop_ticket", "description-alike")]
