import { type FormValidateInput, useForm } from "@mantine/form";
import { useEffect, useMemo } from "react";
import { type Labels, splitFaults } from "./split-faults";

export interface ApiFormOptions<Values extends object> {
  /** Initial values, in the shape of the body that is sent. */
  values: Values;
  /** The label of each field, by its place in the body. */
  labels: Labels;
  /** Error of the last attempt to send it. */
  error: unknown;
  /** Checks before anything is sent. */
  validate?: FormValidateInput<Values>;
}

/** A form that is sent to the API. What the service refuses is said at the field, in the words of its label. */
export function useApiForm<Values extends object>({ values, labels, error, validate = {} }: ApiFormOptions<Values>) {
  const form = useForm<Values>({ initialValues: values, validate });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the labels of a form do not change.
  const { errors, rest } = useMemo(() => splitFaults(error, labels), [error]);
  const focusFirst = (wrong: object) => {
    const [first] = Object.keys(wrong);
    if (first !== undefined) form.getInputNode(first)?.focus();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal is shown once.
  useEffect(() => {
    form.setErrors(errors);
    focusFirst(errors);
  }, [errors]);
  return {
    values: form.values,
    setValues: form.setValues,
    setField: form.setFieldValue,
    errors: form.errors,
    isDirty: form.isDirty(),
    reset: form.reset,
    /** Begins again with other values, as after saving. */
    restart: (next: Values) => {
      form.setInitialValues(next);
      form.setValues(next);
    },
    /** The label, the value and the error of a field, and what it calls when it is changed. */
    field: (place: string) => {
      const { value, ...props } = form.getInputProps(place);
      return { label: labels[place], value, ...props };
    },
    /** Properties of a field that is checked or not. */
    box: (place: string) => ({ label: labels[place], ...form.getInputProps(place, { type: "checkbox" }) }),
    /** Checks what was typed, and acts on it. */
    send: (act: (values: Values) => void) => form.onSubmit(act, focusFirst),
    /** Error that is about no field of the form. */
    rest,
  };
}

export type ApiForm<Values extends object> = ReturnType<typeof useApiForm<Values>>;
