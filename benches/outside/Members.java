import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The public classes of the JDK that others can extend: name, bases and members, separated by tabs. */
class Members {
    static final Pattern PACKAGES = Pattern.compile("java\\.(lang|io|net|nio|math|text|time|util)(\\..*)?|java\\.sql|java\\.beans");

    public static void main(String[] arguments) throws Exception {
        var objects = new TreeSet<String>();
        for (Method method : Object.class.getDeclaredMethods()) objects.add(method.getName());
        var files = FileSystems.getFileSystem(URI.create("jrt:/"));
        List<Path> classes = new ArrayList<>();
        for (String module : List.of("java.base", "java.sql", "java.desktop"))
            try (var found = Files.walk(files.getPath("/modules/" + module + "/java"))) {
                found.filter(path -> path.toString().endsWith(".class")).forEach(classes::add);
            }
        for (Path path : classes) {
            String name = path.subpath(2, path.getNameCount()).toString().replace('/', '.').replaceAll("\\.class$", "");
            Class<?> type;
            try {
                type = Class.forName(name, false, null);
            } catch (Throwable error) {
                continue;
            }
            var in = PACKAGES.matcher(type.getPackageName());
            if (!in.matches() || !visible(type.getModifiers()) || Modifier.isFinal(type.getModifiers()) || type.isAnonymousClass()) continue;
            var members = new TreeSet<String>();
            for (Method method : type.getDeclaredMethods())
                if (visible(method.getModifiers()) && !method.isSynthetic() && !objects.contains(method.getName())) members.add(method.getName());
            for (Field field : type.getDeclaredFields()) if (visible(field.getModifiers()) && !field.isSynthetic()) members.add(field.getName());
            for (Class<?> one : type.getDeclaredClasses()) if (visible(one.getModifiers())) members.add(one.getSimpleName());
            var bases = new ArrayList<String>();
            Class<?> above = type.getSuperclass();
            if (above != null && above != Object.class) bases.add(above.getName().replace('$', '.'));
            for (Class<?> one : type.getInterfaces()) bases.add(one.getName().replace('$', '.'));
            if (name.equals("java.io.Serializable"))
                members.addAll(List.of("readObject", "writeObject", "readResolve", "writeReplace", "readObjectNoData", "serialVersionUID"));
            System.out.println(name.replace('$', '.') + "\t" + String.join(" ", bases) + "\t" + String.join(" ", members) + "\t.");
        }
    }

    static boolean visible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }
}
