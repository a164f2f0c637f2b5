import { Button } from "../ui/Button";
import type { Pages } from "./usePages";

/** The button for the next page, if there is one. */
export function More<T>({ pages }: { pages: Pages<T> }) {
  return pages.more ? (
    <div className="operate-more">
      <Button onClick={pages.next} disabled={pages.loading}>
        Show more
      </Button>
    </div>
  ) : null;
}
