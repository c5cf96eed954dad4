interface Page<Item> {
  readonly data: readonly Item[];
  readonly pages: number;
}

/** Every item of a list, page by page. */
export async function everyItem<Item>(
  pageOf: (query: { page: number; page_size: number }) => PromiseLike<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 1; ; page += 1) {
    const { data, pages } = await pageOf({ page, page_size: 500 });
    items.push(...data);
    if (page >= pages) return items;
  }
}
