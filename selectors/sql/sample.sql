-- A small shop: every construct that the data of SQL speaks of.
CREATE SCHEMA shop;

/* What is sold. */
CREATE TABLE shop.items (
    id BIGINT PRIMARY KEY,
    name VARCHAR(80) NOT NULL,
    price NUMERIC(10, 2) DEFAULT 0.5,
    seen TIMESTAMP
);

CREATE TABLE IF NOT EXISTS orders (
    item_id INT,
    amount INT
);

CREATE UNIQUE INDEX items_by_name ON shop.items (name, price DESC);

CREATE VIEW dear AS
SELECT name, price FROM shop.items WHERE price > 10;

CREATE TYPE colour AS ENUM ('red', 'green');

CREATE FUNCTION twice(x INT) RETURNS INT
LANGUAGE SQL
AS $$ SELECT x * 2 $$;

CREATE SEQUENCE numbers START WITH 1;

ALTER TABLE orders ADD COLUMN tax DECIMAL(4, 2);

INSERT INTO orders (item_id, amount)
VALUES (1, 2), (2, 3);

UPDATE orders SET amount = amount + 1, tax = 0.1 WHERE item_id = 1;

DELETE FROM orders WHERE amount IS NULL OR amount BETWEEN 1 AND 3;

WITH totals AS (
    SELECT item_id, SUM(amount) AS total
    FROM orders
    GROUP BY item_id
    HAVING COUNT(*) > 1
)
SELECT i.name AS item, UPPER(i.name), COALESCE(t.total, 0) AS total,
    CASE WHEN t.total > 5 THEN 'many' ELSE 'few' END,
    ROW_NUMBER() OVER (PARTITION BY i.name ORDER BY t.total)
FROM shop.items AS i
LEFT JOIN totals AS t ON t.item_id = i.id
WHERE i.name LIKE 'a%' AND i.id IN (1, 2) AND EXISTS (SELECT 1 FROM orders)
ORDER BY total DESC, item
LIMIT 10;

SELECT * FROM (SELECT 1) AS one;

SELECT name FROM dear UNION ALL SELECT 'none';

BEGIN;
DROP VIEW dear;
DELETE FROM orders;
DROP TABLE orders;
COMMIT;
