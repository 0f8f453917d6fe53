"""Designs of Jitterbit Studio brought over to Python.

script/  Jitterbit Script: lexer, parser and interpreter of the expression language.
"""
