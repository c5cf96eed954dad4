import { isJsonObject, type Api } from "@plumbline/kit/model";
import type { ProxyResponse } from "../proxy.js";
import { jsonOf, isSuccess } from "./messages.js";
import type { Call, JsonObject, Memory } from "./mutant.js";
import { isResource, visitResponse } from "./visit-values.js";

export interface RecordingMemory extends Memory {
  readonly record: (answer: ProxyResponse, call: Call) => void;
}

export function createMemory(api: Api): RecordingMemory {
  const success = new Map<string, ProxyResponse>();
  const errors = new Map<number, ProxyResponse>();
  const objects = new Map<string, Map<string, JsonObject>>();
  const owners = new Map<string, string>();
  const authorizations: string[] = [];
  const authorizationOf = new Map<string, string>();
  return {
    success,
    errors,
    objects,
    owners,
    authorizations,
    authorizationOf,
    record: (answer, call) => {
      const { operation, request } = call;
      const authorization = credentialOf(api, request.headers);
      if (!isSuccess(answer)) {
        errors.set(answer.status, answer);
        return;
      }
      success.set(operation.name, answer);
      if (authorization !== undefined) {
        const known = authorizations.indexOf(authorization);
        if (known >= 0) authorizations.splice(known, 1);
        authorizations.push(authorization);
        authorizationOf.set(pathOf(request.target), authorization);
      }
      const body = jsonOf(answer);
      if (body === undefined) return;
      visitResponse(api, { operation, status: answer.status, body }, ({ schema, value }) => {
        const resource = isResource(api, schema);
        if (resource === undefined || !isJsonObject(value)) return;
        const id = idOf(value);
        if (id === undefined) return;
        const those = objects.get(resource) ?? new Map<string, JsonObject>();
        objects.set(resource, those);
        const key = `${resource} ${id}`;
        if (authorization !== undefined && !owners.has(key)) owners.set(key, authorization);
        those.set(id, { ...those.get(id), ...(value as JsonObject) });
      });
    },
  };
}

/** The identifier of an object: its id, or else its first text or number. */
export function idOf(value: unknown): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const id = value["id"] ?? value["label"] ?? value["username"];
  return typeof id === "string" || typeof id === "number" ? String(id) : undefined;
}

export function pathOf(target: string): string {
  return target.split("?")[0] ?? "";
}

/** The headers with the credentials of a request, as JSON. Undefined without any. */
export function credentialOf(api: Api, headers: Readonly<Record<string, string>>): string | undefined {
  const found = credentialNames(api).flatMap((name) =>
    headers[name] === undefined ? [] : [[name, headers[name]] as const],
  );
  return found.length === 0 ? undefined : JSON.stringify(Object.fromEntries(found));
}

/** Headers with the credentials of another request. */
export function withCredential(
  api: Api,
  headers: Readonly<Record<string, string>>,
  credential: string,
): Readonly<Record<string, string>> {
  const names = new Set(credentialNames(api));
  const others = Object.entries(headers).filter(([name]) => !names.has(name));
  return { ...Object.fromEntries(others), ...(JSON.parse(credential) as Record<string, string>) };
}

function credentialNames({ securitySchemes }: Api): readonly string[] {
  const keys = securitySchemes.flatMap((scheme) =>
    scheme.kind === "apiKey" && scheme.in === "header" ? [scheme.key.toLowerCase()] : [],
  );
  return [...new Set(["authorization", "cookie", ...keys])];
}
