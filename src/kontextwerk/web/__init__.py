"""The page and the HTTP API, on FastAPI.

Read `app` first: what there is and which parts answer which addresses. Then `runs` (answers that go on when nobody
looks), `guard` (who may come in), `pages` and `answers` (HTML), `api` and `openai_api` (JSON).
"""
