import path from "node:path";
import { writeBundled } from "../descriptions.js";
import { repository } from "../places.js";

/** A request without its origin. */
export interface MockedRequest {
  readonly method: "GET" | "POST";
  /** The path below the base path of the API. */
  readonly path: string;
  readonly body?: object;
}

/** A description that both mocks serve, and the two requests that are measured. */
export interface MockedDescription {
  readonly name: string;
  readonly file: string;
  /** Where the paths of the API begin. */
  readonly basePath: string;
  readonly get: MockedRequest;
  readonly post: MockedRequest;
}

/** Our own description in one file, and two of the examples. */
export async function mockedDescriptions(folder: string): Promise<readonly MockedDescription[]> {
  const own = path.join(folder, "cloud-compute.json");
  await writeBundled(own);
  const example = (name: string): string =>
    path.join(repository, "node_modules", "@readme", "oas-examples", ...name.split("/"));
  return [
    {
      name: "Cloud Compute",
      file: own,
      basePath: "/v4",
      get: { method: "GET", path: "/regions" },
      post: { method: "POST", path: "/profile/tokens", body: { label: "bench" } },
    },
    {
      name: "petstore-expanded",
      file: example("3.0/json/petstore-expanded.json"),
      basePath: "/api",
      get: { method: "GET", path: "/pets?limit=20" },
      post: { method: "POST", path: "/pets", body: { name: "Rex" } },
    },
    {
      name: "train-travel",
      file: example("3.1/json/train-travel.json"),
      basePath: "",
      get: { method: "GET", path: "/stations" },
      post: {
        method: "POST",
        path: "/bookings",
        body: {
          trip_id: "4f4e4e1c-c824-4d63-b37a-d8d698862f1d",
          passenger_name: "Ann",
          has_bicycle: true,
          has_dog: true,
        },
      },
    },
  ];
}
