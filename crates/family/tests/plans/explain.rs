//! What an engine would do for a statement whose values it does not know, and whether that is to read too much.

use diesel::{prelude::*, sql_types::Text};
use store::{DbConnection, Error};

/// Walks of SQLite's over no table: nothing, the first videos of a category, which tt's `home_rows` has sought before, and what an editors' list
/// counts, as far as it is counted.
const DERIVED: [&str; 3] = ["SCAN CONSTANT ROW", "SCAN v", "SCAN found"];

/// What one reply holds at most: sorting that much is no matter.
const PAGE: u64 = 200;

#[derive(QueryableByName)]
struct PgLine {
    #[diesel(sql_type = Text, column_name = "QUERY PLAN")]
    line: String,
}

#[derive(QueryableByName)]
struct SqliteLine {
    #[diesel(sql_type = Text)]
    detail: String,
}

#[derive(QueryableByName)]
struct Index {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    lead: String,
}

/// Every index, and the column it is sorted by first.
const INDEXES: &str = "SELECT c.relname::text AS name, pg_get_indexdef(i.indexrelid, 1, true) AS lead \
                       FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid";

/// A line that names an index, with the index's first column behind it.
fn with_lead(line: String, indexes: &[Index]) -> String {
    let named = |index: &&Index| {
        line.contains(&format!(" using {} on ", index.name))
            || line.contains(&format!("Bitmap Index Scan on {} ", index.name))
    };
    match indexes.iter().find(named) {
        Some(index) => format!("{line} LEAD {}", index.lead),
        None => line,
    }
}

/// The plan, line by line; PostgreSQL's with each index's first column.
pub(crate) fn explain(conn: &mut DbConnection, statement: &str) -> Result<Vec<String>, Error> {
    match conn {
        DbConnection::Sqlite(conn) => {
            let lines: Vec<SqliteLine> = diesel::sql_query(format!("EXPLAIN QUERY PLAN {statement}")).load(conn)?;
            Ok(lines.into_iter().map(|line| line.detail).collect())
        }
        DbConnection::Postgres(conn) => {
            let values = (1..).take_while(|number| statement.contains(&format!("${number}"))).count();
            let nulls = vec!["NULL"; values].join(", ");
            let execute = if values == 0 { "EXECUTE asked".to_owned() } else { format!("EXECUTE asked({nulls})") };
            diesel::sql_query("SET plan_cache_mode = force_generic_plan").execute(conn)?;
            diesel::sql_query(format!("PREPARE asked AS {statement}")).execute(conn)?;
            let lines: Result<Vec<PgLine>, _> = diesel::sql_query(format!("EXPLAIN {execute}")).load(conn);
            diesel::sql_query("DEALLOCATE asked").execute(conn)?;
            let indexes: Vec<Index> = diesel::sql_query(INDEXES).load(conn)?;
            Ok(lines?.into_iter().map(|line| with_lead(line.line, &indexes)).collect())
        }
    }
}

/// The rows PostgreSQL expects of a node.
fn rows(line: &str) -> u64 {
    let digits = line.split("rows=").nth(1).unwrap_or_default();
    digits.split(' ').next().and_then(|digits| digits.parse().ok()).unwrap_or(u64::MAX)
}

/// The lines at fault: a walk over a whole table or index, or a sort of more than a page.
pub(crate) fn faults(plan: &[String]) -> Vec<&str> {
    let is_node = |line: &str| line.contains("->") || !line.starts_with(' ');
    let mut faults = Vec::new();
    for (place, line) in plan.iter().enumerate() {
        let below = plan[place + 1..].iter().take_while(|line| !is_node(line));
        // An index without a condition on its first column is walked whole.
        let lead = line.split_once(" LEAD ").map(|(_, lead)| lead);
        let bounded =
            |lead: &str| below.clone().any(|line| line.contains("Index Cond") && line.contains(&format!("({lead} ")));
        let unbounded = lead.is_some_and(|lead| !bounded(lead));
        // SQLite says SEARCH where it seeks and SCAN where it walks.
        // A virtual table (full text, JSON) is given what to seek.
        let seeks = line.contains(" VIRTUAL TABLE INDEX ") || DERIVED.contains(&line.as_str());
        let walks = line.contains("Seq Scan") || (line.starts_with("SCAN ") && !seeks);
        // SQLite sorts only where no index has the order; PostgreSQL also where few rows are quicker sorted than sought.
        let sorts = line.contains("USE TEMP B-TREE FOR ORDER BY")
            || (line.contains("Sort  (") && !line.contains("Incremental Sort") && rows(line) > PAGE);
        if unbounded || walks || sorts {
            faults.push(line.as_str());
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scan_is_distinguished_from_seek() {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let seek = lines(
            "Limit  (cost=0.28..8.30 rows=1)\n  ->  Index Scan using a on b  (cost=0.28..8.30 rows=1) LEAD id\n        Index Cond: (id = $1)",
        );
        assert!(faults(&seek).is_empty());
        let walk = lines(
            "Limit  (cost=0.28..8.30 rows=1)\n  ->  Index Scan using a on b  (cost=0.28..8.30 rows=1) LEAD id\n        Index Cond: (state = $1)\n  ->  Result  (cost=1)\n        Index Cond: (x)",
        );
        assert_eq!(faults(&walk).len(), 1);
        assert_eq!(faults(&lines("Seq Scan on b  (cost=0.00..1.00 rows=1)")).len(), 1);
        assert_eq!(faults(&lines("SEARCH b USING INDEX a (x=?)\nUSE TEMP B-TREE FOR ORDER BY")).len(), 1);
        assert_eq!(faults(&lines("SCAN b USING COVERING INDEX a")).len(), 1);
    }
}
