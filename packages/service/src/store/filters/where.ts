import type { ListScope } from "@plumbline/server-runtime";
import { sql } from "kysely";
import {
  allOf,
  anyOf,
  cell,
  equals,
  isOfItem,
  isOneOf,
  textCell,
  type Cell,
  type Condition,
  type ItemPlace,
} from "../database.js";

/** Conditions on columns: equal to a value, one of several, or a comparison; for lists, that they contain an item. */
export type Where = Readonly<Record<string, Cell | boolean | Comparison>>;

export interface Comparison {
  readonly in?: readonly (Cell | boolean)[];
  readonly gte?: Cell;
  readonly lt?: Cell;
  readonly contains?: string;
}

/** The condition that a row of a table has these values. */
export function conditionsOf(where: Where, table: Omit<ItemPlace, "field">): Condition {
  return allOf(
    Object.entries(where).flatMap(([column, value]) =>
      isBound(value) ? within(column, value, table) : [equals(column, value)],
    ),
  );
}

function within(
  column: string,
  { in: values, gte, lt, contains }: Comparison,
  table: Omit<ItemPlace, "field">,
): Condition[] {
  return [
    ...(contains === undefined ? [] : [isOfItem({ ...table, field: column }, textCell(contains))]),
    ...(values === undefined ? [] : [isOneOf(column, values)]),
    ...(gte === undefined ? [] : [sql`${sql.id(column)} >= ${cell(gte)}`]),
    ...(lt === undefined ? [] : [sql`${sql.id(column)} < ${cell(lt)}`]),
  ];
}

/** Whether a condition is more than a value. */
export function isBound(value: Cell | boolean | Comparison): value is Comparison {
  return typeof value === "object" && value !== null;
}

/** The rows of a list that a caller may see. */
export function visibleTo({ owner, ids, includePublic }: ListScope): Condition {
  const isPublic = equals("is_public", true);
  if (owner === undefined) return includePublic ? isPublic : allOf([]);
  const ownerConditions = Object.entries(owner).map(([column, value]) => equals(column, value));
  const isOwned = allOf(ids === undefined ? ownerConditions : [...ownerConditions, isOneOf("id", ids)]);
  return includePublic ? anyOf([isOwned, isPublic]) : isOwned;
}
