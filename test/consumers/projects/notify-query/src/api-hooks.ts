import createFetch from "openapi-fetch";
import createQueries from "openapi-react-query";
import type { components, paths } from "./api.js";

export type Message = components["schemas"]["Message"];
export type Attempt = components["schemas"]["Attempt"]; // concerns: schema-renamed

export const $api = createQueries(createFetch<paths>({ baseUrl: "https://notify.example" }));

export const useMessages = (channelId: string, limit = 20) =>
  $api.useQuery("get", "/messages", {
    params: { query: { channelId, limit } }, // may: request-bound-tightened
  });

export const useMessage = (messageId: string) =>
  $api.useQuery(
    "get",
    "/messages/{messageId}", // concerns: parameter-required-added
    { params: { path: { messageId } } },
    { staleTime: 10_000 },
  );

export const useChannels = () => $api.useSuspenseQuery("get", "/channels", { params: { query: { kind: "sms" } } }); // concerns: request-enum-value-removed
export const useSettings = () => $api.useQuery("get", "/settings"); // concerns: operation-deprecated
export const useSearch = () => $api.useMutation("post", "/messages/search"); // concerns: operation-moved
export const usePause = () => $api.useMutation("post", "/channels/{channelId}/pause"); // concerns: operation-removed

/** Not the service's message: what the page shows in its banner. */
export interface Banner {
  tags: string[];
  size: "small" | "large";
}

export const banner = (size: Banner["size"], ...tags: string[]): Banner => ({ size, tags: tags.map((tag) => tag.trim()) });
