import { Link, useLocation } from "@tanstack/react-router";
import { Icon } from "../components/icons";
import { useCaller, useDiscovery } from "../data/rights";
import { isOffered, pageAt, pageGroups } from "../pages/pages";
import { SavedViews } from "./saved-views";

/** The main navigation: the pages that the caller can open. */
export function Navigation({ onChosen }: { onChosen?: () => void }) {
  const { data: index } = useDiscovery();
  const permissions = useCaller().data?.permissions ?? [];
  const groups = pageGroups
    .map(({ title, pages }) => ({ title, pages: pages.filter((page) => isOffered(page, index, permissions)) }))
    .filter(({ pages }) => pages.length > 0);
  const open = pageAt(useLocation().pathname);
  return (
    <nav aria-label="Main">
      {groups.map(({ title, pages }) => (
        <div key={title ?? "first"}>
          {title && <div className="nav-title">{title}</div>}
          <ul className="nav-group">
            {pages.map(({ name, path, icon, views }) => (
              <li key={name}>
                <Link
                  to={path}
                  className="nav-link"
                  activeOptions={{ exact: path === "/", includeSearch: false }}
                  onClick={onChosen}
                >
                  <Icon name={icon} size={18} />
                  {name}
                </Link>
                {views && path === open?.path && <SavedViews page={views} path={path} onChosen={onChosen} />}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
