export { createMock, type Mock, type MockOptions } from "./gen/mock.js";
export {
  DroppedConnectionError,
  MockCapacityError,
  type InjectedError,
  type MockGrants,
  type MockSnapshot,
  type MockToken,
  type MockUser,
} from "@plumbline/mock-runtime";
