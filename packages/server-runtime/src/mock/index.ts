export { type CreateServer, createBaseMock, type Mock, type MockSnapshot } from "./create-mock.js";
export type {
  BodyShape,
  DocumentedResponse,
  EffectTarget,
  FieldReference,
  GeneratedField,
  ItemVariant,
  MockBodyReference,
  MockIdentifier,
  MockCredential,
  MockDefinition,
  MockEffect,
  MockEvent,
  MockInitialState,
  MockList,
  MockOperation,
  MockPathReference,
  MockResource,
  MockResponse,
  MockStateMachine,
  MockStateSteps,
  MockTarget,
  MockTransition,
  MockUniqueLimit,
  MockValueSource,
  NestedValues,
  ObjectExpression,
  OperationRole,
  SecretField,
} from "./mock-definition.js";
export type {
  BodyData,
  BodyReferenceData,
  EffectData,
  EventData,
  ItemData,
  ListData,
  MockData,
  ObjectData,
  OperationData,
  ResourceData,
  ResponseData,
  MockStateMachineData,
  StateStepsData,
  TransitionData,
  ValueSourceData,
  ValuesData,
} from "./mock-data.js";
export { readDefinition } from "./read-definition.js";
export type { MockObjects, ObjectPlace } from "./mock-objects.js";
export type { MockOptions } from "./mock-options.js";
export type { ReplacementHandlers } from "./behavior/replaceable-handlers.js";
export type { UndocumentedResponse } from "./responses/undocumented-responses.js";
export type { CallerAttributes, MockToken, MockUser, MockUsers } from "./access/users.js";
export { DroppedConnectionError, type InjectedError } from "./responses/injected-errors.js";
export { MockCapacityError } from "./store/mock-store.js";
