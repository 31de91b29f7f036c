"""What benches/run.py is made of.

Reading order: `corpus` (what is searched), `tools` (who searches), `tasks` and `growth` (what is asked), `process` (one
process), `measure` (rounds of them), `answers` and `oracle` (are the answers right), `report` (tables). The comparison with
ctags stands apart: `outline_languages`, `outline_answers`, `outline_rules`, `outlines`, `outline_report`; and so do rewrites:
`rewrites`, `rewrite_answers`, `rewrite_awkward`, `rewrite_report`.
"""
