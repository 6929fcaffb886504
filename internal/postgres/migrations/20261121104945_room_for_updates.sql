-- A message is changed when its call begins, a run when its trace grows: with room on its page no index needs to hear of it.
ALTER TABLE "messages" SET (fillfactor = 60);
ALTER TABLE "notifications" SET (fillfactor = 45);
