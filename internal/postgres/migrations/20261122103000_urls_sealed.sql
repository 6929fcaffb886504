-- How every stored webhook URL begins once all are sealed under one key; null before that.
ALTER TABLE "carillon_installation" ADD COLUMN "urls_sealed" character varying NULL;
