DROP TABLE closed_months;
DROP TABLE vat_rates;
DROP TABLE contract_terms;
