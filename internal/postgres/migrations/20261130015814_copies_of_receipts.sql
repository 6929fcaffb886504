-- Modify "receipts" table.
ALTER TABLE "receipts" ADD COLUMN "copy" boolean NOT NULL DEFAULT false;
-- What became of a copy is no event of its message.
CREATE OR REPLACE FUNCTION webhook_receipts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT NEW.copy AND webhooks_wanted() THEN
    PERFORM webhook_message(NEW.message_id, CASE NEW.kind WHEN 'failed' THEN 'message.undelivered' ELSE 'message.' || NEW.kind END,
      jsonb_build_object('receiptId', NEW.id, 'occurredAt', NEW.occurred_at, 'permanent', NEW.permanent, 'detail', nullif(NEW.detail, '')));
  END IF;
  RETURN NULL;
END $$;
