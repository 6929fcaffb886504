-- A receipt is reported at the end of its transaction, when its message has the status that the receipt brings about.
DROP TRIGGER webhook_receipts ON "receipts";
CREATE CONSTRAINT TRIGGER webhook_receipts AFTER UPDATE OF message_id ON "receipts" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.message_id IS NULL AND NEW.message_id IS NOT NULL) EXECUTE FUNCTION webhook_receipts();
