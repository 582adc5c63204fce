"""A finished text as a file: Markdown, HTML or DOCX, with its sources.

It leaves out who wrote it: see `kontextwerk.generate`.
"""
