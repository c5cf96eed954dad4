import type { Mock } from "../create-mock.js";
import type { ObjectPlace } from "../mock-objects.js";
import type { Values } from "../store/stored-object.js";
import { identifierRule, objectRule, requireField, textRule } from "./control-body.js";
import { ControlError, invalidField } from "./control-errors.js";
import { controlRoute, type ControlRequest, type ControlRoute } from "./control-route.js";

/** The controls of objects, which do what only the platform can. */
export function objectRoutes(mock: ControlledObjects): readonly ControlRoute[] {
  const { objects } = mock;
  return [
    controlRoute("GET /objects/{resource}", {}, ({ path, query }) => {
      const filters = [...query];
      const isSelected = (values: Values): boolean =>
        filters.every(([field, value]) => String(values[field]) === value);
      return [200, { data: objects.list(requireResource(mock, path["resource"])).filter(isSelected) }];
    }),
    controlRoute("POST /objects/{resource}", newObjectFields, ({ path, body: { values = {}, ...place } }) => {
      const resource = requireResource(mock, path["resource"]);
      checkPlace(mock, resource, place);
      return [201, objects.create(resource, values as Values, place)];
    }),
    controlRoute("GET /objects/{resource}/{id}", {}, ({ path }) => [200, valuesOf(mock, locate(mock, path))]),
    controlRoute("PATCH /objects/{resource}/{id}", undefined, ({ path, body }) => {
      const object = locate(mock, path);
      objects.change(object.resource, object.id, body);
      return [200, valuesOf(mock, { ...object, id: identifierAfter(mock, object, body) })];
    }),
    controlRoute("DELETE /objects/{resource}/{id}", {}, ({ path }) => {
      const { resource, id } = locate(mock, path);
      objects.remove(resource, id);
      return [204];
    }),
    controlRoute("POST /objects/{resource}/{id}/events", { event: requireField(textRule) }, ({ path, body }) => {
      const object = locate(mock, path);
      const event = String(body["event"]);
      if (!objects.perform(object.resource, object.id, event))
        throw new ControlError(409, `No state machine of ${object.resource} has the event "${event}" in this state.`);
      return [200, valuesOf(mock, object)];
    }),
    controlRoute("PUT /objects/{resource}/{id}/state", { state: requireField(textRule) }, ({ path, body }) => {
      const object = locate(mock, path);
      const state = String(body["state"]);
      const machines = mock.definition.stateMachines.filter(({ resource }) => resource === object.resource);
      if (!machines.some(({ states }) => states.includes(state)))
        throw invalidField("state", `Not a state of ${object.resource}.`);
      objects.setState(object.resource, object.id, state);
      return [200, valuesOf(mock, object)];
    }),
    controlRoute("GET /objects/{resource}/{id}/{children}", {}, ({ path }) => {
      const { resource, id } = locate(mock, path);
      return [200, { data: objects.children(requireResource(mock, path["children"]), { resource, identifier: id }) }];
    }),
  ];
}

type ControlledObjects = Pick<Mock, "definition" | "objects" | "users">;

interface ObjectKey {
  readonly resource: string;
  readonly id: string | number;
}

const newObjectFields: ControlRoute["fields"] = {
  values: objectRule,
  username: textRule,
  account: textRule,
  parent: identifierRule,
  event: textRule,
};

function requireResource({ definition }: ControlledObjects, name = ""): string {
  if (Object.hasOwn(definition.resources, name)) return name;
  const names = Object.keys(definition.resources);
  const hint = names.length === 0 ? "It has none." : `It has: ${names.join(", ")}.`;
  throw new ControlError(404, `The description has no resource "${name}". ${hint}`);
}

function locate(mock: ControlledObjects, path: ControlRequest["path"]): ObjectKey {
  const resource = requireResource(mock, path["resource"]);
  const { id: text = "" } = path;
  // A path has texts, and objects may have numbers.
  const id = mock.definition.resources[resource]?.identifier.type === "number" ? Number(text) : text;
  if (mock.objects.find(resource, id) === undefined) throw new ControlError(404, `There is no ${resource} "${text}".`);
  return { resource, id };
}

function valuesOf({ objects }: ControlledObjects, { resource, id }: ObjectKey): Values {
  return objects.find(resource, id) ?? {};
}

function checkPlace(
  { definition, objects, users }: ControlledObjects,
  resource: string,
  { username, parent }: ObjectPlace,
): void {
  const above = definition.resources[resource]?.parent;
  if (username !== undefined && users.get(username) === undefined)
    throw invalidField("username", `There is no user "${username}".`);
  if (parent !== undefined && above === undefined) throw invalidField("parent", `${resource} has no parent.`);
  if (above !== undefined && objects.find(above, parent) === undefined)
    throw invalidField("parent", `Not the identifier of an object of ${above}.`);
}

/** The identifier of an object after a change of its values. */
function identifierAfter(
  { definition }: ControlledObjects,
  { resource, id }: ObjectKey,
  values: Values,
): ObjectKey["id"] {
  const changed = values[definition.resources[resource]?.identifier.field ?? ""];
  return typeof changed === "string" || typeof changed === "number" ? changed : id;
}
