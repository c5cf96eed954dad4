import { useCallback, useMemo } from "react";
import createFetch from "openapi-fetch";
import createHooks from "openapi-react-query";
import type { components, operations, paths } from "./api.js";

type Schemas = components["schemas"];
export type Access = Schemas["Calendar"]["access"];
export type Draft = Omit<Schemas["EventDraft"], "reminders">; // concerns: schema-renamed
export type { components };

export const api = createHooks(createFetch<paths>({ baseUrl: "/calendar" }));

export function useCalendars(access?: "private" | "public") {
  const { data, ...rest } = api.useQuery("get", "/calendars", { params: { query: { access } } });
  const owners = useMemo(() => new Set(data?.calendars.map(({ owner }) => owner.name)), [data]);
  return { ...rest, owners };
}

export function useWeek(calendarId: string, from: string, until?: string) {
  return api.useQuery("get", "/calendars/{calendarId}/events", {
    params: {
      path: { calendarId },
      query: {
        from,
        until, // concerns: parameter-required
        limit: 90,
      },
    },
  });
}

export const useAgenda = (calendarId: string) =>
  api.useSuspenseQuery("get", "/calendars/{calendarId}/events", { // concerns: parameter-required
    params: { path: { calendarId }, query: { from: "2026-01-01T00:00:00Z" } },
  });

export const useSeries = (eventId: string) => api.useQuery("get", "/events/{eventId}/instances", { params: { path: { eventId } } });
export type Series = operations["listInstances"]; // concerns: operation-renamed

export const useAnswer = () => api.useMutation("post", "/events/{eventId}/rsvp"); // concerns: operation-moved
export const useSnooze = () => api.useMutation("post", "/reminders/{reminderId}/snooze"); // concerns: operation-removed

export function useCalendarName(calendarId: string) {
  const { mutate } = api.useMutation("patch", "/calendars/{calendarId}"); // concerns: operation-deprecated
  return useCallback((name: string) => mutate({ params: { path: { calendarId } }, body: { name, color: "navy" } }), [calendarId, mutate]);
}

export function useNewCalendar() {
  const { mutateAsync } = api.useMutation("post", "/calendars");
  return async (name: string, access: Access | undefined) =>
    mutateAsync({ body: { name, access, color: "navy" } }); // concerns: request-property-required, request-type-changed
}

/** A draft that the browser keeps: the server never sees it. */
export const useLocalDraft = () => useMemo(() => ({ title: "x".repeat(150), location: "here", color: "red", visibility: "confidential" }), []);
