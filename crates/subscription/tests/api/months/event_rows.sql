SELECT id || '/' || subscription_id || '/' || CAST(at AS TEXT) || '/' || COALESCE(from_state, '') || '/' || to_state || '/' || cause
    || '/' || evidence AS text
FROM events ORDER BY id
