import type { NewClients } from "../client/old-clients.js";
import type { QueryModule } from "../queries/query-module.js";
import type { ResultMigration } from "../results/migrated-call.js";

/** What a migration from openapi-fetch shares. */
export interface FetchMigration extends ResultMigration {
  readonly newClients: NewClients;
  readonly queries: QueryModule;
}
