import { setupServer } from "msw/node";
import { createOpenApiHttp } from "openapi-msw";
import type { paths } from "./api/schema";

const http = createOpenApiHttp<paths>({ baseUrl: "https://mock.example/v1" });

/** A server with one plot, for tests. */
export const mocks = setupServer(
  http.get("/plots", ({ response }) => response(200).json([{ id: 1, name: "Mock", soil: "clay", version: "m" }])),
);
