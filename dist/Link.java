import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.attribute.RuntimeVisibleTypeAnnotationsAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * A linker of the classes in a folder's jars. It does work ahead of time that the JVM's class
 * archive leaves to each start.
 *
 * <p>Pattern switches: each switch is a call site that generates a class at its first execution,
 * and the archive does not keep such classes (JDK 25). The linker replaces the call site by the
 * call of a method that tests one class after the other:
 *
 * <pre>
 *   switch (e) { case A a -&gt; ...; case B b when ... -&gt; ... }
 *   invokedynamic typeSwitch(e, from) [A, B]    before
 *   invokestatic $typeSwitch$0(e, from)         after
 * </pre>
 *
 * <p>Old classes: the archive rejects classes from before Java 6, whose methods have no stack maps.
 * The linker adds stack maps and sets the class file version to that of Java 8.
 *
 * <p>The launcher runs this tool from source before it creates the archive. Usage: {@code Link
 * FOLDER}. The linker verifies what it writes. It leaves linked classes, and jars without such
 * classes, unchanged. It exits with an exception if a jar cannot be read or written.
 */
public final class Link {
  private static final MethodTypeDesc TYPE_SWITCH =
      MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_Object, ConstantDescs.CD_int);

  private final ClassFile fresh;
  private final ClassFile same;

  /**
   * Creates the linker.
   *
   * @param classes all classes of the folder, by file name
   */
  private Link(Map<String, byte[]> classes) {
    ClassHierarchyResolver resolver =
        ClassHierarchyResolver.ofResourceParsing((ClassDesc c) -> find(classes, c))
            .orElse(ClassHierarchyResolver.defaultResolver())
            .cached();
    var hierarchy = ClassFile.ClassHierarchyResolverOption.of(resolver);
    fresh = ClassFile.of(hierarchy, ClassFile.ConstantPoolSharingOption.NEW_POOL);
    same = ClassFile.of(hierarchy);
  }

  public static void main(String[] args) throws IOException {
    Map<Path, Map<String, byte[]>> jars = new LinkedHashMap<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(Path.of(args[0]), "*.jar")) {
      for (Path jar : found) {
        jars.put(jar, read(jar));
      }
    }
    Map<String, byte[]> classes = new HashMap<>();
    jars.values().forEach(classes::putAll);
    Link link = new Link(classes);
    for (Map.Entry<Path, Map<String, byte[]>> jar : jars.entrySet()) {
      if (link.link(jar.getValue())) {
        write(jar.getKey(), jar.getValue());
      }
    }
  }

  /** Links the classes of a jar in place; returns true if a class has changed. */
  private boolean link(Map<String, byte[]> files) {
    boolean changed = false;
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      String name = file.getKey();
      if (!name.endsWith(".class") || name.endsWith("module-info.class")) {
        continue;
      }
      ClassModel model = same.parse(file.getValue());
      byte[] linked =
          model.majorVersion() < ClassFile.JAVA_6_VERSION
              ? renewed(model)
              : withoutTypeSwitches(model);
      if (linked == null) {
        continue;
      }
      var errors = same.verify(linked);
      if (!errors.isEmpty()) {
        throw new IllegalStateException(name + ": " + errors.getFirst());
      }
      file.setValue(linked);
      changed = true;
    }
    return changed;
  }

  /**
   * Returns the class with stack maps, which the class file library generates for a newer version.
   */
  private byte[] renewed(ClassModel model) {
    return fresh.transformClass(model, Link::renew);
  }

  private static void renew(ClassBuilder target, ClassElement element) {
    switch (element) {
      case ClassFileVersion _ -> target.withVersion(ClassFile.JAVA_8_VERSION, 0);
      case MethodModel m ->
          target.transformMethod(m, MethodTransform.transformingCode(CodeTransform.ACCEPT_ALL));
      default -> target.with(element);
    }
  }

  /** Returns the class with methods in place of type switches; null if it has no type switch. */
  private byte[] withoutTypeSwitches(ClassModel model) {
    Map<List<ClassEntry>, String> methods = new LinkedHashMap<>();
    ClassDesc self = model.thisClass().asSymbol();
    boolean isInterface = model.flags().has(AccessFlag.INTERFACE);
    byte[] linked =
        same.transformClass(
            model,
            ClassTransform.transformingMethodBodies(
                    (code, element) -> link(code, element, methods, self, isInterface))
                .andThen(
                    ClassTransform.endHandler(
                        target ->
                            methods.forEach(
                                (labels, name) ->
                                    target.withMethodBody(
                                        name,
                                        TYPE_SWITCH,
                                        ClassFile.ACC_PRIVATE
                                            | ClassFile.ACC_STATIC
                                            | ClassFile.ACC_SYNTHETIC,
                                        code -> tests(code, labels))))));
    return methods.isEmpty() ? null : linked;
  }

  private static void link(
      CodeBuilder code,
      CodeElement element,
      Map<List<ClassEntry>, String> methods,
      ClassDesc self,
      boolean isInterface) {
    // Type annotations in code are dropped, since their code offsets are no longer valid.
    if (element instanceof RuntimeVisibleTypeAnnotationsAttribute) {
      return;
    }
    List<ClassEntry> labels = typeSwitch(element);
    if (labels == null) {
      code.with(element);
      return;
    }
    String name = methods.computeIfAbsent(labels, _ -> "$typeSwitch$" + methods.size());
    code.invokestatic(self, name, TYPE_SWITCH, isInterface);
  }

  /**
   * Returns the classes of a type switch, in order; null for other elements, and for switches with
   * other labels.
   */
  private static List<ClassEntry> typeSwitch(CodeElement element) {
    if (!(element instanceof InvokeDynamicInstruction call)) {
      return null;
    }
    MethodHandleEntry bootstrap = call.invokedynamic().bootstrap().bootstrapMethod();
    boolean is =
        bootstrap.reference().owner().name().equalsString("java/lang/runtime/SwitchBootstraps")
            && bootstrap.reference().name().equalsString("typeSwitch")
            && !call.typeSymbol().parameterType(0).isPrimitive();
    var labels = call.invokedynamic().bootstrap().arguments();
    if (!is || labels.isEmpty() || !labels.stream().allMatch(ClassEntry.class::isInstance)) {
      return null;
    }
    return labels.stream().map(ClassEntry.class::cast).toList();
  }

  /**
   * Generates code with the result of {@link java.lang.runtime.SwitchBootstraps#typeSwitch}: -1 for
   * null. Otherwise the result is the first label, from the given one on, of which the object is an
   * instance, or the number of labels.
   */
  private static void tests(CodeBuilder code, List<ClassEntry> labels) {
    Label some = code.newLabel();
    code.aload(0).ifnonnull(some).iconst_m1().ireturn().labelBinding(some);
    List<Label> tests =
        IntStream.rangeClosed(0, labels.size()).mapToObj(_ -> code.newLabel()).toList();
    List<SwitchCase> cases = new ArrayList<>();
    for (int i = 0; i < tests.size(); i++) {
      cases.add(SwitchCase.of(i, tests.get(i)));
    }
    code.iload(1).tableswitch(0, labels.size(), tests.getLast(), cases);
    for (int i = 0; i < labels.size(); i++) {
      code.labelBinding(tests.get(i)).aload(0).instanceOf(labels.get(i)).ifeq(tests.get(i + 1));
      code.loadConstant(i).ireturn();
    }
    code.labelBinding(tests.getLast()).loadConstant(labels.size()).ireturn();
  }

  private static InputStream find(Map<String, byte[]> classes, ClassDesc c) {
    String descriptor = c.descriptorString();
    byte[] found = classes.get(descriptor.substring(1, descriptor.length() - 1) + ".class");
    return found == null ? null : new ByteArrayInputStream(found);
  }

  private static Map<String, byte[]> read(Path jar) throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry e : Collections.list(zip.entries())) {
        if (!e.isDirectory()) {
          files.put(e.getName(), zip.getInputStream(e).readAllBytes());
        }
      }
    }
    return files;
  }

  /**
   * Writes the jar under a temporary name first, so that an interrupted build leaves the old jar.
   */
  private static void write(Path jar, Map<String, byte[]> files) throws IOException {
    Path temporary = jar.resolveSibling(jar.getFileName() + ".tmp");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(temporary))) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        ZipEntry entry = new ZipEntry(file.getKey());
        entry.setTime(0);
        zip.putNextEntry(entry);
        zip.write(file.getValue());
        zip.closeEntry();
      }
    }
    Files.move(temporary, jar, StandardCopyOption.REPLACE_EXISTING);
  }
}
