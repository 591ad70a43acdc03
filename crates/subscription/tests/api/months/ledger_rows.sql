SELECT id || '/' || subscription_id || '/' || network || '/' || day || '/' || kind || '/' || cents || '/' || status || '/' || charge_key
    || '/' || COALESCE(network_ref, '') || '/' || attempts || '/' || failures || '/' || pass || '/' || COALESCE(claim, '')
    || '/' || COALESCE(CAST(sent_at AS TEXT), '') || '/' || reason || '/' || CAST(at AS TEXT) || '/' || asked
    || '/' || COALESCE(CAST(ask_at AS TEXT), '') || '/' || COALESCE(refund_of, 0) || '/' || made_by AS text
FROM ledger ORDER BY id
