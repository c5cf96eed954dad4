import type { RawResponse, ValidationIssue } from "@plumbline/server-runtime/http";
import type { Mock, MockOptions, MockSnapshot } from "@plumbline/server-runtime/mock";

/** What `assets/mock.js` defines. */
export interface MockScript {
  readonly createMock: (options: MockOptions) => Mock;
  /** The objects that the user of the mock has from the start, by resource. */
  readonly data: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
  /** Returns the issues of a response of an operation. */
  readonly responseIssues: (operation: string, response: RawResponse) => readonly ValidationIssue[];
}

/** How many times as fast as in the description transient states end. */
export const pace = 60;

/** The user of a mock without other users. */
const username = "user";

/** Where the state of a mock lasts from page to page. */
export interface StateStorage {
  readonly read: () => string | null;
  /** Returns whether the state is stored. */
  readonly write: (text: string) => boolean;
}

/** The state of a mock in storage. */
interface StoredState {
  readonly snapshot: MockSnapshot;
  /** How many pages have used the mock. Each begins another series of generated values. */
  readonly pages: number;
}

/** A mock whose state lasts from page to page. */
export interface MockSession {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Whether the state of the last request is stored for other pages. */
  readonly isStored: () => boolean;
  /** Returns to the initial state. */
  readonly reset: () => void;
}

/** Continues the mock of the previous page, or starts one. */
export function startMockSession(
  { createMock, data }: Omit<MockScript, "responseIssues">,
  storage: StateStorage,
): MockSession {
  const previous = readState(storage);
  const pages = (previous?.pages ?? 0) + 1;
  const mock = createMock({ pace, seed: pages });
  let isStored = true;
  const save = (): void => {
    isStored = storage.write(JSON.stringify({ snapshot: mock.snapshot(), pages } satisfies StoredState));
  };
  const reset = (): void => {
    mock.reset();
    for (const [resource, objects] of Object.entries(data))
      for (const values of objects) mock.objects.create(resource, values, { username });
  };
  if (previous === undefined || !restored(mock, previous.snapshot)) reset();
  return {
    fetch: async (request) => {
      const response = await mock.fetch(request);
      save();
      return response;
    },
    isStored: () => isStored,
    reset: () => {
      reset();
      save();
    },
  };
}

function readState(storage: StateStorage): StoredState | undefined {
  try {
    const state = JSON.parse(storage.read() ?? "null") as StoredState | null;
    return state === null || typeof state.pages !== "number" ? undefined : state;
  } catch {
    return undefined;
  }
}

/** A text that another program has stored may be anything. */
function restored(mock: Mock, snapshot: MockSnapshot): boolean {
  try {
    mock.restore(snapshot);
    return true;
  } catch {
    return false;
  }
}

/** The storage of this tab. It is not available in some settings of browsers, and full at some megabytes. */
export function tabStorage(key: string): StateStorage {
  return {
    read: () => {
      try {
        return sessionStorage.getItem(key);
      } catch {
        return null;
      }
    },
    write: (text) => {
      try {
        sessionStorage.setItem(key, text);
        return true;
      } catch {
        return false;
      }
    },
  };
}
