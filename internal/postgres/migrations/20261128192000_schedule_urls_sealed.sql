-- Webhook URLs in the overrides of schedules are sealed as well, so that it is not known any more that all are.
UPDATE "carillon_installation" SET "urls_sealed" = NULL;
