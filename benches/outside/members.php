<?php
// A line for each class, interface and trait of PHP's own extensions: its name, what is above it, and its own members, with tabs between.
foreach (array_merge(get_declared_classes(), get_declared_interfaces(), get_declared_traits()) as $name) {
    $class = new ReflectionClass($name);
    if (!$class->isInternal() || $class->isFinal()) {
        continue;
    }
    $above = $class->getInterfaceNames();
    if ($parent = $class->getParentClass()) {
        array_unshift($above, $parent->getName());
    }
    $members = [];
    foreach ([$class->getMethods(), $class->getProperties(), $class->getReflectionConstants()] as $kind) {
        foreach ($kind as $member) {
            if ($member->getDeclaringClass()->getName() === $name) {
                $members[] = $member->getName();
            }
        }
    }
    $dotted = fn ($text) => str_replace('\\', '.', $text);
    echo $dotted($name), "\t", implode(' ', array_map($dotted, $above)), "\t", implode(' ', array_unique($members)), "\n";
}
