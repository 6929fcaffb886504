package main

import (
	"debug/buildinfo"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/CycloneDX/cyclonedx-go"
)

// materials writes the bill of materials of a build (CycloneDX): the modules that the compiler wrote into the program.
func (r *release) materials(t target) (err error) {
	info, err := buildinfo.ReadFile(r.binary(t))
	if err != nil {
		return err
	}
	bom := cyclonedx.NewBOM()
	program := cyclonedx.Component{
		BOMRef: "carillon", Type: cyclonedx.ComponentTypeApplication, Name: "carillon", Version: r.version,
		PackageURL: "pkg:golang/" + info.Main.Path + "@v" + r.version,
	}
	bom.Metadata = &cyclonedx.Metadata{Timestamp: r.time.Format(time.RFC3339), Component: &program}
	components := []cyclonedx.Component{{
		BOMRef: "std", Type: cyclonedx.ComponentTypeLibrary, Name: "std", Version: info.GoVersion,
		PackageURL: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go"),
	}}
	refs := []string{"std"}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		url := "pkg:golang/" + m.Path + "@" + m.Version
		components = append(components, cyclonedx.Component{
			BOMRef: url, Type: cyclonedx.ComponentTypeLibrary, Name: m.Path, Version: m.Version, PackageURL: url,
		})
		refs = append(refs, url)
	}
	slices.Sort(refs)
	bom.Components = &components
	bom.Dependencies = &[]cyclonedx.Dependency{{Ref: "carillon", Dependencies: &refs}}
	out, err := os.Create(r.name(t, ".cdx.json"))
	if err != nil {
		return err
	}
	defer func() { err = first(err, out.Close()) }()
	return cyclonedx.NewBOMEncoder(out, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(bom)
}
