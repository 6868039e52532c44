import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { ErrorState } from "./states";

export interface SaveButtonsProps {
  form: { isDirty: boolean; reset: () => void; rest: unknown };
  isBusy: boolean;
  /** Other buttons. */
  children?: ReactNode;
}

/** The end of a form of a page: what was refused and is about no field, and how to save or discard what was changed. */
export function SaveButtons({ form: { isDirty, reset, rest }, isBusy, children }: SaveButtonsProps) {
  return (
    <>
      {rest ? <ErrorState error={rest} /> : null}
      <div className="spread">
        <div className="row">
          <Button type="submit" loading={isBusy} disabled={!isDirty}>
            Save changes
          </Button>
          {isDirty && (
            <Button variant="default" onClick={reset}>
              Discard
            </Button>
          )}
        </div>
        {children}
      </div>
    </>
  );
}
