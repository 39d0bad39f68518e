/** The title in the browser's tab: the page, then the product. */
export function PageTitle({ children }: { children: string }) {
  return <title>{`${children} – Stet`}</title>;
}
