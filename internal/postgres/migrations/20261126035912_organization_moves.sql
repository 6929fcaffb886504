-- Modify "organizations" table.
ALTER TABLE "organizations" ADD COLUMN "move" character varying NOT NULL DEFAULT 'none', ADD COLUMN "moved_to" character varying NOT NULL DEFAULT '' COLLATE "C", ADD COLUMN "moved_url" character varying NOT NULL DEFAULT '' COLLATE "C", ADD COLUMN "move_id" character varying NOT NULL DEFAULT '' COLLATE "C";
