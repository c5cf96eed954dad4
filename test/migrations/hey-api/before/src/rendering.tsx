import { QueryClient, QueryClientProvider, notifyManager } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { act, create, type ReactTestRenderer } from "react-test-renderer";

declare global {
  var IS_REACT_ACT_ENVIRONMENT: boolean;
}
globalThis.IS_REACT_ACT_ENVIRONMENT = true;
// Components hear of data at once, within `act`.
notifyManager.setScheduler((notify) => notify());

/** A page that shows elements, and the data that they load. */
export class Page {
  readonly queries = new QueryClient({ defaultOptions: { queries: { retry: false, gcTime: Infinity } } });
  private renderer: ReactTestRenderer | undefined;

  static async open(element: ReactElement): Promise<Page> {
    const page = new Page();
    const shown = <QueryClientProvider client={page.queries}>{element}</QueryClientProvider>;
    await act(async () => {
      page.renderer = create(shown);
    });
    await page.settle();
    return page;
  }

  text(): string {
    const elements = this.renderer?.root.findAll(({ type }) => typeof type === "string") ?? [];
    return elements.flatMap(({ children }) => children.filter((each) => typeof each === "string")).join(" ");
  }

  async click(label: string): Promise<void> {
    const buttons = this.renderer?.root.findAllByType("button") ?? [];
    const button = buttons.find(({ children }) => children.join("").startsWith(label));
    await act(async () => (button?.props as { onClick: () => void }).onClick());
    await this.settle();
  }

  async close(): Promise<void> {
    await act(async () => this.renderer?.unmount());
    this.queries.clear();
  }

  /** Waits until nothing is sent any longer. */
  private async settle(): Promise<void> {
    const isBusy = () => this.queries.isFetching() + this.queries.isMutating() > 0;
    await act(
      async () =>
        new Promise<void>((resolve) => {
          const caches = [this.queries.getQueryCache(), this.queries.getMutationCache()];
          const ends = caches.map((cache) => cache.subscribe(() => finish()));
          const finish = () => {
            if (isBusy()) return;
            for (const end of ends) end();
            resolve();
          };
          finish();
        }),
    );
  }
}
