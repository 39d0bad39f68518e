/** Sets the browser tab's title to the page's title and the product's name. */
export function PageTitle({ children }: { children: string }) {
  return <title>{`${children} – Stet`}</title>;
}
