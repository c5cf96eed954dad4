import { buildRoutes, namesIn } from "@plumbline/server-runtime/validator";
import { bases, operations } from "./targets.mjs";

const routes = operations.map(({ definition }) => ({ definition, names: namesIn(definition.path) }));
const table = buildRoutes(routes, bases);

export const match = (method, target) => table.find(method, target);
export const nameOf = (found) => found?.route?.definition.name;
