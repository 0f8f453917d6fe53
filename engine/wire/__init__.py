"""Wire formats: pure functions between the bytes of an endpoint and the loop's own words.

Each format has `read` (an answer of the endpoint becomes a Reply, or a Failure is raised) and `write` (a
finished round becomes the bytes that stand in the next request). Nothing here knows about the network.
"""
