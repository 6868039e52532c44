import type { Task } from "@holdfast/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queryKey } from "../data/query-keys";
import { offers, useDiscovery } from "../data/rights";
import { useClient, useUnit } from "../data/unit";
import { SafeTextBlock } from "./safe-text";

export interface ItemLinkProps {
  entity: NonNullable<Task["primary_entity"]>;
  unitId: string;
}

/** Links a task or a monitor to the page of its item. Text alone before its first task, or for callers who may not see items. */
export function ItemLink({ entity, unitId }: ItemLinkProps) {
  const client = useClient();
  const { data: index } = useDiscovery();
  const { data: id } = useQuery({
    queryKey: queryKey(useUnit(), "list-entities", { entity, unitId }),
    queryFn: async ({ signal }) => {
      const filter = {
        "primary_entity.id": entity.id,
        "primary_entity.type": entity.type,
        organizational_unit_id: unitId,
      };
      return (await client.entities.list({ filter, limit: 1, signal }).page()).items[0]?.id ?? null;
    },
    enabled: offers(index, "entities", "list-entities"),
    staleTime: 60_000,
  });
  const name = <SafeTextBlock text={entity.value} />;
  return id ? (
    <Link to="/entities/$id" params={{ id }}>
      {name}
    </Link>
  ) : (
    name
  );
}
