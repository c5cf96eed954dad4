import { programVersion } from "../../src/store/migrations.js";
import { tables, type Tables } from "../../src/store/tables.js";
import type { PlantedMigration, Release } from "./releases.js";

const plantedVersion: number = programVersion + 1;

/** The tables of this program with another column. */
const withNotes: Tables = {
  ...tables,
  domains: { ...tables.domains, columns: { ...tables.domains.columns, note: "text" } },
};

/** A migration of the release after this one, which only adds. */
export const expanding: PlantedMigration = {
  name: nameOf("notes"),
  oldest: programVersion,
  statements: [
    "alter table domains add column note text",
    "create index domains_account_note on domains (account, note)",
    "create table notes (id integer primary key, text varchar(255) not null)",
  ],
  tablesBefore: tables,
};

/** The release after this one. */
export const later: Release = { tables: withNotes, migrations: { add: [expanding] } };

/** The name of a planted migration. */
export function nameOf(change: string): string {
  return `${String(plantedVersion).padStart(4, "0")}-${change}`;
}
