"""What a text on sources is made of: the brief, its content type, searches, sources, prompts and sections.

    brief           what is to be written
    content_types   the kinds of texts, shipped and the person's own
    voices          how a person writes

It leaves out who writes and what is kept of it: see `kontextwerk.generate`.
"""
