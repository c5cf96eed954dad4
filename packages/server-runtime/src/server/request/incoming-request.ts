import type { MatchedRoute, RequestValidator } from "../../http/index.js";
import type { HttpRequest } from "../http/http-request.js";
import type { Observation } from "../observe/observation.js";
import type { OperationPlan } from "../operation-plan.js";

/** What came in. Nothing changes it. */
export interface IncomingRequest {
  /** Identifies the request in logs. Also sent to the client. */
  readonly requestId: string;
  readonly received: Pick<HttpRequest, "method">;
  /** Absent if no operation has the path and the method. */
  readonly plan?: OperationPlan | undefined;
  /** Absent if nothing observes the request. */
  readonly observation?: Observation | undefined;
}

/** A request for an operation. */
export interface OperationRequest extends IncomingRequest {
  readonly received: HttpRequest;
  readonly plan: OperationPlan;
  readonly match: MatchedRoute;
  readonly validator: RequestValidator;
}
