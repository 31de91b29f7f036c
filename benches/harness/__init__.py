"""What benches/run.py is made of.

Reading order: `corpus` (what is searched), `tools` (who searches), `tasks` and `growth` (what is asked), `process` (one
process), `measure` (rounds of them), `answers` and `oracle` (are the answers right), `report` (tables).
"""
