import type { ValidationIssue, InputGroups } from "@plumbline/http-runtime";
import type { ServerDefinition } from "../server-definition.js";
import type { RequestContext, Caller } from "./request-context.js";
import {
  toErrorEntries,
  RejectedRequestError,
  errorResponseFor,
  sharedErrorResponse,
  type OperationErrorOptions,
} from "../errors/errors.js";
import type { EvaluationContext } from "../conditions/evaluation-context.js";
import type { Grants } from "../access/grants.js";
import type { Awaitable } from "../handlers.js";
import type { BaseServerOptions } from "../options.js";
import type { OperationPlan } from "../operation-plan.js";
import type { Reference, ResourceRegistry } from "../resources/resources.js";
import type { ReferencedId } from "../resources/body-references.js";
import { ResourceCache, type AncestorChain } from "../resources/resource-cache.js";

/** What a server needs to check a request against stored data. */
export interface ServerContext {
  readonly definition: ServerDefinition;
  readonly options: BaseServerOptions;
  readonly registry: ResourceRegistry;
}

/**
 * A decoded request while the server checks it against stored data.
 * It is itself the `EvaluationContext` of its conditions: they are many, and a copy for each would cost time.
 */
export class RequestEvaluation implements EvaluationContext {
  readonly plan: OperationPlan;
  readonly input: InputGroups;
  readonly context: RequestContext;
  readonly server: ServerContext;
  readonly caller: Caller | undefined;
  readonly refs: ResourceCache;
  /** Each row that the path names, with its ancestors, by the name of the parameter. */
  readonly parameters: Map<string, AncestorChain> = new Map();
  /** The ids that the body has for each reference of the plan, with their locations. */
  bodyIds: readonly (readonly ReferencedId[])[] = [];
  readonly chains: (readonly (AncestorChain | undefined)[])[] = [];
  target: unknown;
  body: unknown;
  #grants: Awaitable<Grants> | undefined;

  constructor(
    plan: OperationPlan,
    input: InputGroups,
    { context, server }: { readonly context: RequestContext; readonly server: ServerContext },
  ) {
    this.plan = plan;
    this.input = input;
    this.context = context;
    this.server = server;
    this.caller = context.caller;
    this.refs = new ResourceCache(server.registry, context, { forUpdate: plan.isLocking });
    this.body = input["body"];
  }

  /** The same facts with another body. */
  withBody(body: unknown): EvaluationContext {
    const { caller, input, target, refs } = this;
    return { caller, input, body, target, refs };
  }

  /** The caller's grants. Loads them once a request. */
  grants(): Awaitable<Grants> {
    const { caller } = this;
    const { options } = this.server;
    if (options.grants === undefined || caller === undefined)
      throw new TypeError("Missing option `grants`. Provide a function that returns the grants of a restricted user.");
    return (this.#grants ??= options.grants(caller, this.context));
  }

  validationError(issues: readonly ValidationIssue[]): RejectedRequestError {
    return new RejectedRequestError({ status: 400, errors: toErrorEntries(issues) });
  }

  /** The error response for a resource that does not exist, or that the caller may not see. */
  notFound(reference: Reference | undefined, locations?: readonly string[]): RejectedRequestError {
    const id = reference?.onNotFound;
    return id === undefined || !Object.hasOwn(this.plan.errors, id)
      ? this.sharedError(404)
      : this.errorAt(id, locations);
  }

  forbidden(id: string | undefined): RejectedRequestError {
    return id === undefined ? this.sharedError(403) : this.error(id);
  }

  error(id: string, detail: OperationErrorOptions = {}): RejectedRequestError {
    return new RejectedRequestError(errorResponseFor(id, this.plan.errors, detail));
  }

  /** The error response with one entry for each location, if the description leaves the field open. */
  errorAt(id: string | undefined, locations: readonly string[] = []): RejectedRequestError {
    if (id === undefined) return this.sharedError(400);
    const errorResponse = errorResponseFor(id, this.plan.errors);
    const about = this.plan.errors[id]?.field;
    const isOpen = about === undefined || (about !== null && about.startsWith("$"));
    if (!isOpen || locations.length === 0) return new RejectedRequestError(errorResponse);
    const reason = errorResponse.errors[0]?.reason ?? "";
    return new RejectedRequestError({
      ...errorResponse,
      errors: locations.slice(0, maxErrorEntries).map((field) => ({ field, reason })),
    });
  }

  sharedError(status: 400 | 403 | 404): RejectedRequestError {
    const { sharedErrors, sharedErrorByStatus } = this.server.definition;
    return new RejectedRequestError(sharedErrorResponse(status, sharedErrors, sharedErrorByStatus));
  }
}

const maxErrorEntries = 100;
