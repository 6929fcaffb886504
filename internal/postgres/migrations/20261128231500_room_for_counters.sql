-- A page of a fan-out changes the counters of neighbouring inboxes at once: with room for all of them on their pages no index needs to
-- hear of it.
ALTER TABLE "inbox_states" SET (fillfactor = 45);
