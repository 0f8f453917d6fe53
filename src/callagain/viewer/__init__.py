"""A run as a page: one file that shows each step on the flowchart, in any browser and without a network."""

from callagain.viewer.page import is_page, page, write_page

__all__ = ["is_page", "page", "write_page"]
