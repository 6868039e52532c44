import { nameAbove, nameOf, pathText, type Unit } from "../data/names";
import { firstLine, visibleText } from "../texts/foreign-text";
import { SafeText } from "./safe-text";

/** The unit of a row. Where several have its name, the unit above it stands below, smaller. */
export function UnitName({ units, id }: { units: readonly Unit[]; id: string }) {
  const above = nameAbove(units, id);
  return (
    <span className="unit-name soft" title={visibleText(firstLine(pathText(units, id)))}>
      <span className="clip">
        <SafeText text={nameOf(units, id)} />
      </span>
      {above !== undefined && (
        <span className="clip small">
          <SafeText text={above} />
        </span>
      )}
    </span>
  );
}
