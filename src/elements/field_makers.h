#pragma once
// Short ways to declare Fields and element types; an empty default makes the key required.

#include <string>
#include <utility>
#include <vector>

#include "elements/registry.h"

namespace monocoque::fields {

using io::Field;
using io::FieldKind;
using io::Rule;

inline Field make(std::string name, FieldKind kind, std::string doc, std::string default_text,
                  std::string example, Rule rule = Rule::any, int size = 0) {
  Field f;
  f.name = std::move(name);
  f.kind = kind;
  f.doc = std::move(doc);
  f.default_text = std::move(default_text);
  f.example = std::move(example);
  f.rule = rule;
  f.size = size;
  return f;
}

inline Field number(std::string name, std::string doc, std::string default_text, std::string example,
                    Rule rule = Rule::any) {
  return make(std::move(name), FieldKind::number, std::move(doc), std::move(default_text), std::move(example),
              rule);
}

inline Field vec3(std::string name, std::string doc, std::string default_text, std::string example,
                  Rule rule = Rule::any) {
  return make(std::move(name), FieldKind::vector, std::move(doc), std::move(default_text), std::move(example),
              rule, 3);
}

inline Field table(std::string name, std::string doc, std::string example) {
  return make(std::move(name), FieldKind::table, std::move(doc), "", std::move(example));
}

inline Field signal(std::string name, std::string doc, std::string default_text, std::string example) {
  return make(std::move(name), FieldKind::signal, std::move(doc), std::move(default_text),
              std::move(example));
}

inline Field text(std::string name, std::string doc, std::string example) {
  return make(std::move(name), FieldKind::text, std::move(doc), "", std::move(example));
}

inline Field choice(std::string name, std::string doc, std::string default_text, std::string example,
                    std::vector<std::string> choices) {
  Field f =
      make(std::move(name), FieldKind::choice, std::move(doc), std::move(default_text), std::move(example));
  f.choices = std::move(choices);
  return f;
}

/// A type whose class is made straight from its parameters.
template <class Class, class Base>
ElementType<Base> type(io::Group group, std::string name, std::string doc, std::vector<Field> list,
                       io::Attachment attachment = io::Attachment::frames) {
  ElementType<Base> t;
  t.info.name = std::move(name);
  t.info.group = group;
  t.info.doc = std::move(doc);
  t.info.fields = std::move(list);
  t.info.attachment = attachment;
  t.make = [](const io::ParameterSet& p) { return std::make_unique<Class>(p); };
  return t;
}

template <class Class>
ElementType<Force> force(std::string name, std::string doc, std::vector<Field> list,
                         io::Attachment attachment = io::Attachment::frames) {
  return type<Class, Force>(io::Group::force, std::move(name), std::move(doc), std::move(list), attachment);
}

/// The same type with roles and a drawing.
template <class Base>
ElementType<Base> with(std::vector<io::Role> roles, io::Drawing drawing, ElementType<Base> t) {
  t.info.roles = std::move(roles);
  t.info.drawing = drawing;
  return t;
}

/// Complaint about values that contradict each other; the caller knows the element and adds it.
[[noreturn]] inline void refuse(const io::ParameterSet& p, const std::string& field, std::string problem,
                                std::string remedy) {
  Diagnostic d;
  d.place = p.place(field);
  d.problem = std::move(problem);
  d.remedy = std::move(remedy);
  throw Error(std::move(d));
}

}  // namespace monocoque::fields
