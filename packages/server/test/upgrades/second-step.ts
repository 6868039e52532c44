import { type SchemaSteps, schemaSteps } from "../../src/database/schema-steps";

/**
 * The steps of this version and one more, as a later version may have it: it adds tables, columns and indexes, and changes
 * rows of tables whose changes are counted.
 */
export const withSecondStep: SchemaSteps = {
  ...schemaSteps,
  "0002-colours": {
    sqlite: `
alter table tasks add column colour text;
alter table roles add column colour text not null default 'grey';
create table task_colours (
  colour text primary key,
  count bigint not null
) without rowid;
create table role_notes (
  role_id text primary key references roles (id) on delete cascade,
  note text not null
);
update tasks set colour = case status when 'completed' then 'green' else 'blue' end;
update roles set colour = 'red' where is_default = 1;
insert into task_colours (colour, count) select colour, count(*) from tasks group by colour;
insert into role_notes (role_id, note) select id, description from roles;
create index tasks_by_colour on tasks (colour, created_at, id);
create index role_notes_by_note on role_notes (note);
create trigger role_notes_counted after insert on role_notes
  begin update domain_versions set version = version + 1 where domain = 'access'; end;
`,
    postgres: `
alter table tasks add column colour text collate "C";
alter table roles add column colour text not null default 'grey';
create table task_colours (
  colour text collate "C" primary key,
  count bigint not null
);
create table role_notes (
  role_id text collate "C" primary key references roles (id) on delete cascade,
  note text not null
);
update tasks set colour = case status when 'completed' then 'green' else 'blue' end;
update roles set colour = 'red' where is_default = 1;
insert into task_colours (colour, count) select colour, count(*) from tasks group by colour;
insert into role_notes (role_id, note) select id, description from roles;
set constraints all immediate;
create index tasks_by_colour on tasks (colour, created_at, id);
create index role_notes_by_note on role_notes (note);
create function count_notes() returns trigger language plpgsql as $$
  begin
    perform count(*) from role_notes;
    return null;
  end $$;
create trigger role_notes_counted after insert on role_notes for each statement execute function count_notes();
`,
  },
  "0003-shades": {
    sqlite: `
alter table tasks add column shade text;
update tasks set shade = 'light ' || colour;
`,
    postgres: `
alter table tasks add column shade text collate "C";
update tasks set shade = 'light ' || colour;
`,
  },
};

/** The name of its last step. */
export const lastStep = Object.keys(withSecondStep).at(-1);
