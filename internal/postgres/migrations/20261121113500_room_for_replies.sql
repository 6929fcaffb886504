-- The reply is written into the record of its key: with room on its page no index needs to hear of it.
ALTER TABLE "idempotency_records" SET (fillfactor = 45);
